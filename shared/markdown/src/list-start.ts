import type { Options } from "mdast-util-from-markdown";

type MicromarkExtension = Extract<
  NonNullable<NonNullable<Options["extensions"]>[number]>,
  { document?: unknown }
>;
type DocumentConstructs = NonNullable<MicromarkExtension["document"]>;
type Construct = Extract<DocumentConstructs[number], { tokenize: unknown }>;
type Context = ThisParameterType<Construct["tokenize"]>;

/**
 * Lets a list begin where CommonMark does and micromark does not. Only a paragraph keeps an ordered list from
 * starting at another number than 1, and an item from starting empty; micromark applies that behind indented code
 * too, and inside a quote or list that the same line opens. This construct matches nothing: tried before the list,
 * it takes back the flag by which the list believes that it interrupts a paragraph.
 */
export function listStart(): MicromarkExtension {
  const construct: Construct = {
    name: "listStart",
    tokenize(_effects, _ok, nok) {
      if (this.interrupt && (opensContainerOnThisLine(this) || followsIndentedCode(this)))
        this.interrupt = false;
      return nok;
    },
  };
  const markers = [..."*+-0123456789"].map((marker) => [marker.charCodeAt(0), construct]);
  return { document: Object.fromEntries(markers) as DocumentConstructs };
}

function opensContainerOnThisLine(context: Context): boolean {
  const { line } = context.now();
  const opening = context.events.findLast(
    ([, token]) => token.type === "chunkFlow" || token._container === true,
  );
  return opening?.[0] === "enter" && opening[1].start.line === line;
}

function followsIndentedCode(context: Context): boolean {
  const chunk = context.events.findLast(([, token]) => token.type === "chunkFlow")?.[1];
  return chunk?._tokenizer?.currentConstruct?.name === "codeIndented";
}
