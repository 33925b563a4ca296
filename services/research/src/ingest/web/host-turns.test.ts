import { describe, expect, test } from "vitest";
import { createHostTurns, type HostVisitor } from "./host-turns.ts";

const one = (path: string) => new URL(path, "https://one.dev");
const other = new URL("https://other.dev/");
const { signal } = new AbortController();

/** Exchanges that begin in turn and end when they are told to. */
function openExchanges() {
  let time = 0;
  const began: string[] = [];
  const waits: number[] = [];
  const ends = new Map<string, () => void>();
  const hosts = createHostTurns({
    now: () => new Date(time),
    wait: async (ms) => {
      waits.push(ms);
      time += ms;
    },
  });
  return {
    hosts,
    began,
    waits,
    pass: (ms: number) => {
      time += ms;
    },
    end: (name: string) => ends.get(name)?.(),
    take: (name: string, url: URL, visitor: HostVisitor = { signal }) =>
      hosts.take(
        url,
        () => {
          began.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
        },
        visitor,
      ),
  };
}

/** Everything that can go on without anybody's doing has gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("turns at a host", () => {
  test("are two at a time, in order, and wait for no other host", async () => {
    const { take, end, began } = openExchanges();
    const all = ["a", "b", "c", "d"].map((name) => take(name, one(name)));
    const elsewhere = take("elsewhere", other);
    await settled();
    expect(began).toEqual(["a", "b", "elsewhere"]);
    end("b");
    await settled();
    expect(began).toEqual(["a", "b", "elsewhere", "c"]);
    for (const name of ["a", "c", "elsewhere"]) end(name);
    await settled();
    end("d");
    expect(await Promise.all([...all, elsewhere])).toEqual(["a", "b", "c", "d", "elsewhere"]);
  });

  test("are the same in every scheme and path of the host", async () => {
    const { take, end, began } = openExchanges();
    const all = [take("a", one("x")), take("b", one("x")), take("c", new URL("http://one.dev/y"))];
    await settled();
    expect(began).toEqual(["a", "b"]);
    end("a");
    end("b");
    await settled();
    end("c");
    await Promise.all(all);
  });

  test("are given up by whoever is aborted, and pass to the next", async () => {
    const { take, end, began } = openExchanges();
    const abort = new AbortController();
    const [a, b] = [take("a", one("")), take("b", one(""))];
    const aborted = take("aborted", one(""), { signal: abort.signal });
    const c = take("c", one(""));
    abort.abort(new Error("stopped"));
    await expect(aborted).rejects.toThrow("stopped");
    end("a");
    await settled();
    expect(began).toEqual(["a", "b", "c"]);
    end("b");
    end("c");
    await Promise.all([a, b, c]);
  });

  test.each([
    [7_000, 7_000],
    [null, 1_000],
    [86_400_000, 60_000],
  ])(
    "come after the pause of %j ms that the host asks for, within reason, and then one at a time",
    async (asked, ms) => {
      const { hosts, take, end, began, waits } = openExchanges();
      hosts.pause(one(""), asked);
      const all = [take("a", one("")), take("b", one("")), take("elsewhere", other)];
      await settled();
      expect(waits).toEqual([ms]);
      expect(began.toSorted()).toEqual(["a", "elsewhere"]);
      end("a");
      await settled();
      expect(began).toContain("b");
      end("b");
      end("elsewhere");
      await Promise.all(all);
    },
  );

  test("are two at a time again some minutes after its pause", async () => {
    const { hosts, take, end, began, pass } = openExchanges();
    hosts.pause(one(""), null);
    pass(301_000);
    const all = [take("a", one("")), take("b", one(""))];
    await settled();
    expect(began).toEqual(["a", "b"]);
    end("a");
    end("b");
    await Promise.all(all);
  });

  test("take up no worker: who finds others waiting, or a pause, comes back later", async () => {
    const { hosts, take, end, began } = openExchanges();
    const visitor = { signal, comesBack: true };
    const wait = { code: "quota", disposition: { kind: "wait", delayMs: expect.any(Number) } };
    const all = ["a", "b", "c"].map((name) => take(name, one(""), visitor));
    await expect(take("d", one(""), visitor)).rejects.toMatchObject(wait);
    all.push(take("elsewhere", other, visitor));
    await settled();
    for (const name of ["a", "b", "elsewhere"]) end(name);
    await settled();
    end("c");
    await Promise.all(all);
    hosts.pause(one(""), 5_000);
    await expect(take("e", one(""), visitor)).rejects.toMatchObject(wait);
    expect(began).toEqual(["a", "b", "elsewhere", "c"]);
  });
});
