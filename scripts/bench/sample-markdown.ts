const words =
  "a client waits before it tries again because the server that failed has work to catch up with and every further request makes the queue in front of it longer".split(
    " ",
  );

/** Words that differ from paragraph to paragraph, and are the same in every run. */
function sentence(seed: number): string {
  const chosen = Array.from(
    { length: 14 },
    (_unused, at) => words[(seed * 7 + at * (3 + (seed % 5))) % words.length],
  );
  return `${chosen.join(" ").replace(/^./, (first) => first.toUpperCase())} [${1 + (seed % 9)}].`;
}

function section(n: number): string {
  const paragraph = (of: number) => [0, 1, 2, 3].map((at) => sentence(n * 31 + of * 5 + at)).join(" ");
  return `## Part ${n}

${paragraph(1)} It uses \`retry(${n})\` and *never* more than **${n} attempts**.

- ${sentence(n)}
- ${sentence(n + 1)}

${paragraph(2)}

| Policy | Wait | Load |
| :-- | --: | --: |
| fixed | ${n} s | 4× |
| jitter | ${n + 1} s | 1× |

\`\`\`python title="part_${n}.py"
def wait(attempt: int, base: float = 0.${n}, cap: float = 10.0) -> float:
    """Seconds to wait before the attempt."""
    return min(cap, base * 2**attempt)


print(wait(${n}))
\`\`\`

> [!NOTE]
> ${sentence(n + 2)}

\`\`\`typescript
const waits = [1, 2, 3].map((attempt) => Math.min(10_000, ${n} * 2 ** attempt));
\`\`\`

${paragraph(3)} The limit is $$c_{${n}} = b \\cdot 2^{${n}}$$.

`;
}

/** An article of at least so many characters: prose with citations, lists, tables, callouts, a formula and code in each section. */
export function sampleMarkdown(length: number): string {
  let text = "# Waiting before the next attempt\n\n";
  for (let n = 1; text.length < length; n += 1) text += section(n);
  return text;
}
