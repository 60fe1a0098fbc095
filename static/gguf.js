// The header of a GGUF file, read in the browser by slices: acts/gguf_header.py does the same from disk.

const GGUF_BROKEN = "The header of this GGUF file is cut short or broken; download it again.";
const GGUF_MOST_KEYS = 65536;
const GGUF_MOST_TENSORS = 1000000;
const GGUF_LONGEST_TEXT = 16777216;
const GGUF_DEEPEST_LIST = 4;
const GGUF_LONGEST_LIST = 4096;
/** Bytes of the file that are looked at first, and at most; a header with a large vocabulary has some ten million. */
const GGUF_FIRST_SLICE = 8388608;
const GGUF_LAST_SLICE = 268435456;

/** How each type of number is read: bytes, and the reader. */
const GGUF_NUMBERS = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, (view, at) => Number(view.getBigUint64(at, true))],
  11: [8, (view, at) => Number(view.getBigInt64(at, true))],
  12: [8, (view, at) => view.getFloat64(at, true)],
};
const GGUF_TEXT = 8;
const GGUF_LIST = 9;

/** What a header asks for beyond the bytes at hand. */
class GgufNeedsMore extends Error {}
/** A header that is none; its message is a sentence. */
class GgufBroken extends Error {}

class GgufHeader {
  constructor(buffer) {
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    this.at = 0;
  }

  /** Where the next `size` bytes begin. */
  take(size) {
    if (size > GGUF_LONGEST_TEXT) throw new GgufBroken(GGUF_BROKEN);
    const start = this.at;
    if (start + size > this.bytes.length) throw new GgufNeedsMore();
    this.at += size;
    return start;
  }

  number(kind) {
    const [size, read] = GGUF_NUMBERS[kind];
    return read(this.view, this.take(size));
  }

  text() {
    const size = this.number(10);
    const start = this.take(size);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes.subarray(start, start + size));
  }

  value(kind, depth = 0) {
    if (kind === GGUF_TEXT) return this.text();
    if (kind === GGUF_LIST) return this.values(depth);
    if (!(kind in GGUF_NUMBERS)) {
      throw new GgufBroken(`This GGUF file has a value of an unknown type, ${kind}; download it again.`);
    }
    return this.number(kind);
  }

  values(depth) {
    const inner = this.number(4);
    const count = this.number(10);
    if (inner in GGUF_NUMBERS) {
      const [size, read] = GGUF_NUMBERS[inner];
      const start = this.take(count * size);
      if (count > GGUF_LONGEST_LIST) return { count };
      return Array.from({ length: count }, (_, index) => read(this.view, start + index * size));
    }
    if (depth >= GGUF_DEEPEST_LIST || count > GGUF_LONGEST_TEXT) throw new GgufBroken(GGUF_BROKEN);
    for (let index = 0; index < count; index++) this.value(inner, depth + 1);
    return { count };
  }

  bounded(most) {
    const count = this.number(10);
    if (count > most) throw new GgufBroken(GGUF_BROKEN);
    return count;
  }
}

/** The header in `buffer`: its table of keys and values, and rows of a tensor's name, number of values and type. */
export function parseGguf(buffer) {
  const header = new GgufHeader(buffer);
  const magic = header.take(4);
  if (String.fromCharCode(...header.bytes.subarray(magic, magic + 4)) !== "GGUF") {
    throw new GgufBroken("This is not a GGUF file; choose another.");
  }
  const version = header.number(4);
  if (version !== 2 && version !== 3) {
    throw new GgufBroken(version < 65536
      ? `This GGUF file is of version ${version}, but only 2 and 3 are read; convert it again.`
      : "This GGUF file is for big-endian machines, which are not read; choose another.");
  }
  const count = header.bounded(GGUF_MOST_TENSORS);
  const keys = header.bounded(GGUF_MOST_KEYS);
  const table = Object.create(null);
  for (let index = 0; index < keys; index++) {
    const key = header.text();
    table[key] = header.value(header.number(4));
  }
  const tensors = [];
  for (let index = 0; index < count; index++) {
    const name = header.text();
    let elements = 1;
    for (let axis = Math.min(header.number(4), 8); axis > 0; axis--) elements *= header.number(10);
    const kind = header.number(4);
    header.take(8); // where its data begins
    tensors.push([name, elements, kind]);
  }
  return { table: { ...table }, tensors };
}

/** Whether a file begins as a GGUF file does. */
export async function isGguf(file) {
  return file.size >= 4 && (await file.slice(0, 4).text()) === "GGUF";
}

/** What a GGUF file says of its model: a reading, or the sentence that refuses it. */
export async function readGgufFile(file) {
  for (let size = GGUF_FIRST_SLICE; ; size *= 4) {
    const buffer = await file.slice(0, Math.min(size, GGUF_LAST_SLICE)).arrayBuffer();
    try {
      const { table, tensors } = parseGguf(buffer);
      return read_gguf(table, tensors);
    } catch (error) {
      if (error instanceof GgufBroken) return { error: error.message };
      if (!(error instanceof GgufNeedsMore)) throw error;
      if (buffer.byteLength >= file.size || size >= GGUF_LAST_SLICE) return { error: GGUF_BROKEN };
    }
  }
}
