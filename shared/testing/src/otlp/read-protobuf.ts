/** The fields of one message, in their order: a number for a varint or a fixed one, bytes for anything with a length. */
export type Fields = readonly { field: number; value: bigint | Uint8Array }[];

/**
 * Reads the wire format of Protobuf, as far as OTLP uses it.
 * @throws Error where the bytes are none
 */
export function readProtobuf(bytes: Uint8Array): Fields {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: { field: number; value: bigint | Uint8Array }[] = [];
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(view.getUint8(at++));
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return value;
    }
  }

  while (at < bytes.byteLength) {
    const tag = Number(varint());
    const field = tag >> 3;
    const wire = tag & 7;
    if (wire === 0) fields.push({ field, value: varint() });
    else if (wire === 1) {
      fields.push({ field, value: view.getBigUint64(at, true) });
      at += 8;
    } else if (wire === 2) {
      const length = Number(varint());
      if (at + length > bytes.byteLength) throw new Error("a field is longer than its message");
      fields.push({ field, value: bytes.subarray(at, at + length) });
      at += length;
    } else if (wire === 5) {
      fields.push({ field, value: BigInt(view.getUint32(at, true)) });
      at += 4;
    } else throw new Error(`no wire type of Protobuf: ${wire}`);
  }
  return fields;
}
