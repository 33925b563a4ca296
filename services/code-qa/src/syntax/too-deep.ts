/**
 * The parser is native and recursive: code that is nested some 4,000 levels deep ends the process, and no handler is
 * asked. Each level takes at least one of these words or signs, wherever it stands; a quoted one counts as well.
 */
const opening =
  /[([{<`?:=]|\b(?:asserts|await|class|delete|do|else|extends|for|if|infer|is|keyof|new|readonly|return|throw|typeof|unique|void|while|with|yield)\b/g;
const mostOpenings = 2_000;

/** In characters. What chains without nesting (`a.b.c`, `1+1+1`) is deep only to those who walk the tree. */
const mostCode = 50_000;

/** Whether JavaScript or TypeScript is too large, or may be too deep, to be parsed in this process. */
export function isTooDeep(code: string): boolean {
  if (code.length > mostCode) return true;
  return (code.match(opening)?.length ?? 0) > mostOpenings;
}
