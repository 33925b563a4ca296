/** A time as a person's clock shows it, with the day where it is another than today. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  const time = date.toLocaleTimeString("en-GB");
  return date.toDateString() === new Date().toDateString()
    ? time
    : `${date.toLocaleDateString("en-CA")} ${time}`;
}
