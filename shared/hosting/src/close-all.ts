/**
 * Closes what was opened, the last first, and empties the list. One that fails keeps none of the others open: a server
 * left behind would outlive the process.
 * @throws what the first of them to fail failed with, once all are through
 */
export async function closeAll(closers: (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const closer of closers.splice(0).reverse()) {
    try {
      await closer();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
