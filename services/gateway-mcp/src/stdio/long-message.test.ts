import { expect, it } from "vitest";
import { LongMessage } from "./long-message.ts";

function idOf(json: string, pieces = 1): string | number | undefined {
  const bytes = Buffer.from(json);
  const message = new LongMessage();
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size) message.take(bytes.subarray(at, at + size));
  return message.requestId;
}

it.each([
  ['{"jsonrpc":"2.0","id":5,"method":"m","params":{"id":6}}', 5],
  ['{"method":"m","params":{"id":6,"a":[{"id":7}]},"jsonrpc":"2.0","id":"ü\\"{,:"}', 'ü"{,:'],
  ['{ "method" : "id" , "id" : 0 }\r\n', 0],
  ['{"method":"m","params":{"text":"\\\\\\",\\"id\\":6,"},"id":5}', 5],
  ['{"method":"m","params":{"text":"\\"id\\":6"}}', undefined],
  ['{"method":"m","id":null}', undefined],
  ['{"method":"m","id":{"id":5}}', undefined],
  [`{"method":"m","id":"${"x".repeat(400)}"}`, undefined],
  // An answer's id is one of ours: the client has given the same to another request.
  ['{"result":{"method":"m"},"id":5}', undefined],
  ["xxxx", undefined],
  ['[{"method":"m","id":5}]', undefined],
  ['"method":"m","id":5', undefined],
])("the id of %s is %s, however it is cut", (json, id) => {
  for (const pieces of [1, 2, 7, json.length]) expect(idOf(json, pieces)).toBe(id);
});
