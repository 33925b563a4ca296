import { type Source, type SourceIndex, sourceSchema } from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";

/** Reads the stored sources by their ids, each once. */
export function sourceReader(
  { artifacts }: Pick<StepContext, "artifacts">,
  index: SourceIndex,
): (id: string) => Promise<Source | undefined> {
  const known = new Map<string, Promise<Source | undefined>>();
  const places = new Map(index.sources.map(({ id, artifact }) => [id, artifact]));
  return (id) => {
    const place = places.get(id);
    const source =
      known.get(id) ??
      (place === undefined ? Promise.resolve(undefined) : artifacts.readJson(place, sourceSchema));
    known.set(id, source);
    return source;
  };
}
