import {crc32, deflateSync, inflateSync} from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Converts a PNG to a palette of its 256 most frequent colours, which makes it two thirds smaller. */
export function compressPicture(png: Buffer): Buffer {
  const {header, data} = readPngChunks(png);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header[9] !== 2 || header[12] !== 0)
    throw new Error('Only what Chromium takes is packed: RGB, not interlaced.');
  const pixels = decodePngRows(inflateSync(data), width * 3, height);
  const counts = new Map<number, number>();
  for (let i = 0; i < pixels.length; i += 3) {
    const colour = pixels.readUIntBE(i, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([colour]) => colour);
  const nearest = new Map<number, number>();
  for (const colour of counts.keys()) nearest.set(colour, findNearestColour(palette, colour));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = pixels.readUIntBE((y * width + x) * 3, 3);
      rows[y * (width + 1) + 1 + x] = nearest.get(colour) ?? 0;
    }
  }
  const colours = Buffer.alloc(palette.length * 3);
  for (const [i, colour] of palette.entries()) colours.writeUIntBE(colour, i * 3, 3);
  const indexed = Buffer.from(header);
  indexed[9] = 3;
  const chunks = [
    createPngChunk('IHDR', indexed),
    createPngChunk('PLTE', colours),
    createPngChunk('IDAT', deflateSync(rows, {level: 9})),
  ];
  return Buffer.concat([signature, ...chunks, createPngChunk('IEND', Buffer.alloc(0))]);
}

function readPngChunks(png: Buffer): {header: Buffer; data: Buffer} {
  const parts: Buffer[] = [];
  let header = Buffer.alloc(0);
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') header = Buffer.from(body);
    if (name === 'IDAT') parts.push(body);
    at += length + 12;
  }
  return {header, data: Buffer.concat(parts)};
}

/** Decodes the rows of a PNG: each byte is stored relative to the bytes on its left, above it, or both. */
function decodePngRows(rows: Buffer, stride: number, height: number): Buffer {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x < 3 ? 0 : (pixels[y * stride + x - 3] ?? 0);
      const above = y === 0 ? 0 : (pixels[(y - 1) * stride + x] ?? 0);
      const corner = x < 3 || y === 0 ? 0 : (pixels[(y - 1) * stride + x - 3] ?? 0);
      const predicted =
        [0, left, above, (left + above) >> 1, predictByPaeth(left, above, corner)][filter ?? 0] ?? 0;
      pixels[y * stride + x] = ((rows[y * (stride + 1) + 1 + x] ?? 0) + predicted) & 255;
    }
  }
  return pixels;
}

function predictByPaeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function findNearestColour(palette: readonly number[], colour: number): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  for (const [i, one] of palette.entries()) {
    const parts = [16, 8, 0].map((shift) => ((one >> shift) & 255) - ((colour >> shift) & 255));
    const distance = parts.reduce((sum, part) => sum + part * part, 0);
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}

function createPngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
