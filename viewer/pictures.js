// Pictures of the page: from text to values.

async function bytesOf(url) {
  if (url.startsWith("data:")) {
    const text = atob(url.slice(url.indexOf(",") + 1));
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return bytes;
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`A picture could not be loaded (${response.status}).`);
  return new Uint8Array(await response.arrayBuffer());
}

function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = bits >> 10 & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -24 * fraction;
}

// The value of a stored number of several bytes, in 8-bit units.
const decoders = {
  bits16: { bytes: 2, value: (word) => word / 257 },
  half: { bytes: 2, value: halfToNumber },
  float: {
    bytes: 4,
    value: ((view) => (word) => { view.setUint32(0, word); return view.getFloat32(0); })(
      new DataView(new ArrayBuffer(4))),
  },
};

// RGBA bytes of a part of a picture; `row` is its first one.
function pixelsOf(bitmap, row, height) {
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, -row);
  return context.getImageData(0, 0, bitmap.width, height).data;
}

async function decode(picture) {
  const bytes = await bytesOf(picture.url);
  const bitmap = await createImageBitmap(new Blob([bytes]),
    { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  const { width, height, channels } = picture;
  const coding = decoders[picture.coding];
  if (!coding) {
    const rgba = pixelsOf(bitmap, 0, height);
    bitmap.close();
    return { width, height, channels, rgba, floats: null };
  }
  const count = width * height;
  const words = new Uint32Array(count * channels);
  for (let k = 0; k < coding.bytes; ++k) {
    const part = pixelsOf(bitmap, k * height, height);
    for (let i = 0; i < count; ++i) {
      for (let c = 0; c < channels; ++c) {
        words[i * channels + c] = words[i * channels + c] * 256 + part[4 * i + c];
      }
    }
  }
  bitmap.close();
  return { width, height, channels, rgba: null, floats: Float32Array.from(words, coding.value) };
}

const decodedPictures = new Map();
// The picture as {width, height, channels, rgba or floats}. It is decoded once and kept, unless it
// is one of a series, of which only the caller keeps some.
export function load(picture, keep = true) {
  if (!keep) return decode(picture);
  if (!decodedPictures.has(picture)) decodedPictures.set(picture, decode(picture));
  return decodedPictures.get(picture);
}

// The value in 8-bit units.
export function valueAt(image, x, y, channel) {
  const at = y * image.width + x;
  return image.floats ? image.floats[at * image.channels + Math.min(channel, image.channels - 1)]
    : image.rgba[4 * at + channel];
}
