// The small decoder in the browser: acts/decoder/model.py again, in typed arrays, one token a pass.
// Everything is in 64-bit floats, so that both give the same words.

/** Every array's name and shape [rows, columns], in the order that the weights' bytes have them. */
export function decoderShapes(config) {
  const queries = config.num_heads * config.head_dim;
  const keys = config.num_kv_heads * config.head_dim;
  const { width, mlp_width: hidden, vocabulary } = config;
  const shapes = [["embedding", vocabulary, width]];
  for (let layer = 0; layer < config.num_layers; layer++) {
    const parts = {
      attention_norm: [1, width], query: [queries, width], key: [keys, width], value: [keys, width],
      output: [width, queries], mlp_norm: [1, width], gate: [hidden, width], up: [hidden, width],
      down: [width, hidden],
    };
    for (const [name, shape] of Object.entries(parts)) shapes.push([`layers.${layer}.${name}`, ...shape]);
  }
  return [...shapes, ["norm", 1, width], ["logits", vocabulary, width]];
}

/** The 16-bit float whose bits are `bits`; scales are never negative. */
function halfFloat(bits) {
  const exponent = bits >> 10;
  const fraction = bits & 1023;
  return exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The arrays of `bytes` (Uint8Array): for each its rows' scales as 16-bit floats, then its rows, a byte a number. */
export function decoderWeights(config, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const weights = {};
  let place = 0;
  for (const [name, rows, columns] of decoderShapes(config)) {
    const numbers = new Float64Array(rows * columns);
    const first = place + 2 * rows;
    for (let row = 0; row < rows; row++) {
      const scale = halfFloat(view.getUint16(place + 2 * row, true));
      for (let at = row * columns; at < (row + 1) * columns; at++) numbers[at] = view.getInt8(first + at) * scale;
    }
    weights[name] = { numbers, rows, columns };
    place = first + rows * columns;
  }
  if (place !== bytes.length) throw new Error(`weights of ${bytes.length} bytes, where the shape has ${place}`);
  return weights;
}

/**
 * A decoder of a shape with its weights. `roundBlock(values, rule)` rounds a block as the sizing model's
 * browser twin does; a cache type is `{ rule, size }`, its rule and the values that share a scale, or null.
 */
export class SmallDecoder {
  constructor(config, weights, roundBlock) {
    Object.assign(this, { config, weights, roundBlock });
    this.multiplyAdds = 0;
    const half = config.rotary_dim / 2;
    this.turns = Array.from({ length: half }, (_, pair) => config.rope_base ** -(pair / half));
  }

  /** An empty cache; `window` tokens are seen, null for the model's own. */
  empty(keysType = null, valuesType = null, window = null) {
    const layers = Array.from({ length: this.config.num_layers }, () => ({ keys: [], values: [] }));
    return { keysType, valuesType, window: window ?? this.config.window, seen: 0, layers };
  }

  /** Passes one token through every layer, adds it to `cache`, and returns its last state. */
  pass(id, cache) {
    const { width, num_layers: layers } = this.config;
    const x = this.weights.embedding.numbers.slice(id * width, (id + 1) * width);
    this.attention = [];
    for (let layer = 0; layer < layers; layer++) {
      const y = this.norm(x, `layers.${layer}.attention_norm`);
      const query = this.rotate(this.times(y, `layers.${layer}.query`), cache.seen);
      const key = this.rotate(this.times(y, `layers.${layer}.key`), cache.seen);
      const held = cache.layers[layer];
      held.keys.push(this.store(key, cache.keysType));
      held.values.push(this.store(this.times(y, `layers.${layer}.value`), cache.valuesType));
      if (cache.window !== null && held.keys.length > cache.window) {
        held.keys.shift();
        held.values.shift();
      }
      add(x, this.times(this.attend(query, held), `layers.${layer}.output`));

      const z = this.norm(x, `layers.${layer}.mlp_norm`);
      const gate = this.times(z, `layers.${layer}.gate`);
      const up = this.times(z, `layers.${layer}.up`);
      for (let at = 0; at < gate.length; at++) gate[at] = (gate[at] / (1 + Math.exp(-gate[at]))) * up[at];
      add(x, this.times(gate, `layers.${layer}.down`));
    }
    cache.seen += 1;
    return this.norm(x, "norm");
  }

  /** For each word of the vocabulary, how likely it comes after `state`, before a softmax. */
  logits(state) {
    return this.times(state, "logits");
  }

  /** What each query head reads from the held tokens, heads side by side. */
  attend(query, held) {
    const { num_heads: heads, num_kv_heads: kv, head_dim: wide } = this.config;
    const read = new Float64Array(heads * wide);
    const tokens = held.keys.length;
    const lines = [];
    for (let head = 0; head < heads; head++) {
      const shared = Math.floor((head * kv) / heads) * wide;
      const share = new Float64Array(tokens);
      let most = -Infinity;
      for (let token = 0; token < tokens; token++) {
        const key = held.keys[token];
        let score = 0;
        for (let at = 0; at < wide; at++) score += query[head * wide + at] * key[shared + at];
        share[token] = score / Math.sqrt(wide);
        most = Math.max(most, share[token]);
      }
      let total = 0;
      for (let token = 0; token < tokens; token++) total += share[token] = Math.exp(share[token] - most);
      for (let token = 0; token < tokens; token++) {
        share[token] /= total;
        const value = held.values[token];
        for (let at = 0; at < wide; at++) read[head * wide + at] += share[token] * value[shared + at];
      }
      lines.push(share);
    }
    this.attention.push(lines);
    this.multiplyAdds += 2 * heads * wide * tokens;
    return read;
  }

  /** Keys or values as they read back from a cache of a type: each head vector's blocks rounded by themselves. */
  store(vectors, type) {
    if (type === null) return vectors;
    const kept = new Float64Array(vectors.length);
    const size = Math.min(type.size, this.config.head_dim);
    for (let start = 0; start < vectors.length; start += size) {
      kept.set(this.roundBlock(Array.from(vectors.subarray(start, start + size)), type.rule).values, start);
    }
    return kept;
  }

  /** RoPE: the first channels of each head turned in pairs by an angle that grows with the place. */
  rotate(vectors, place) {
    const { head_dim: wide, rotary_dim: turned } = this.config;
    const half = turned / 2;
    for (let pair = 0; pair < half; pair++) {
      const cos = Math.cos(place * this.turns[pair]);
      const sin = Math.sin(place * this.turns[pair]);
      for (let head = 0; head < vectors.length; head += wide) {
        const low = vectors[head + pair];
        const high = vectors[head + half + pair];
        vectors[head + pair] = low * cos - high * sin;
        vectors[head + half + pair] = low * sin + high * cos;
      }
    }
    return vectors;
  }

  /** A state through a matrix of weights, its multiply-adds counted. */
  times(x, name) {
    const { numbers, rows, columns } = this.weights[name];
    const y = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let at = 0, place = row * columns; at < columns; at++, place++) sum += numbers[place] * x[at];
      y[row] = sum;
    }
    this.multiplyAdds += numbers.length;
    return y;
  }

  /** RMSNorm: divided by the root mean square, multiplied by a learnt weight a channel. */
  norm(x, name) {
    const { numbers } = this.weights[name];
    let square = 0;
    for (const value of x) square += value * value;
    const size = Math.sqrt(square / x.length + this.config.epsilon);
    return Float64Array.from(x, (value, at) => (value / size) * numbers[at]);
  }

  /**
   * The likeliest words after `ids`, one at a time: yields for each `{ id, passes, multiplyAdds, logits, attention,
   * held }`. As acts/decoder/model.py's generate: the prompt's pass writes the first, and the last one is not run.
   */
  *generate(ids, tokens, { keysType = null, valuesType = null, window = null, useCache = true } = {}) {
    const text = [...ids];
    const empty = () => (useCache ? this.empty(keysType, valuesType, window) : this.empty(null, null, window));
    this.multiplyAdds = 0;
    let passes = 0;
    let cache = empty();
    let fresh = text;
    for (let written = 0; written < tokens; written++) {
      if (!useCache) {
        cache = empty();
        fresh = text;
      }
      let state;
      for (const one of fresh) state = this.pass(one, cache);
      passes += fresh.length;
      const logits = this.logits(state);
      const id = likeliest(logits);
      text.push(id);
      fresh = [id];
      const { multiplyAdds, attention } = this;
      yield { id, passes, multiplyAdds, logits, attention, held: cache.layers[0].keys.length };
    }
  }
}

function add(x, y) {
  for (let at = 0; at < x.length; at++) x[at] += y[at];
}

function likeliest(logits) {
  let best = 0;
  for (let at = 1; at < logits.length; at++) if (logits[at] > logits[best]) best = at;
  return best;
}
