// Draws light fields with WebGL2: one texture read per view and pixel.
import { valueAt } from "./pictures.js";

const mostViews = 1024;  // a uniform block has at least 16384 bytes
const mostTextureBytes = 2 ** 30;

const vertexSource = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

// The point at (x, y) of the present view lies at (x - u d, y - v d) in the view u columns and v rows
// further.
const fragmentSource = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2DArray;
layout(std140) uniform Views { vec4 views[${mostViews}]; };  // u, v, weight, number
uniform sampler2DArray pictures;
uniform int count;
uniform ivec2 tiles;       // of one layer
uniform vec2 size;         // of a view in the texture, pixels
uniform float reduction;   // of the views in the texture
uniform vec2 shown;        // size of the picture
uniform float disparity;   // pixels per step
uniform float gain;        // of light
uniform bool linear_;      // the numbers are proportional to light
uniform bool toned;
out vec4 colour;

vec3 to_light(vec3 v) {
  return mix(v / 12.92, pow((max(v, 0.0) + 0.055) / 1.055, vec3(2.4)), greaterThan(v, vec3(0.04045)));
}
vec3 from_light(vec3 v) {
  return mix(v * 12.92, 1.055 * pow(max(v, 0.0), vec3(1.0 / 2.4)) - 0.055, greaterThan(v, vec3(0.0031308)));
}
void main() {
  vec2 place = vec2(gl_FragCoord.x, shown.y - gl_FragCoord.y);
  vec2 whole = vec2(textureSize(pictures, 0).xy);
  vec4 sum = vec4(0.0);
  for (int k = 0; k < count; ++k) {
    vec4 view = views[k];
    vec2 at = place - view.xy * disparity;
    bool inside = all(greaterThanEqual(at, vec2(0.0))) && all(lessThanEqual(at, shown));
    float weight = inside ? view.z : 0.0;
    int number = int(view.w);
    int tile = number % (tiles.x * tiles.y);
    vec2 corner = vec2(tile % tiles.x, tile / tiles.x) * size;
    vec2 texel = corner + clamp(at / reduction, vec2(0.5), size - 0.5);
    vec3 value = textureLod(pictures, vec3(texel / whole, float(number / (tiles.x * tiles.y))), 0.0).rgb;
    sum += weight * vec4(value, 1.0);
  }
  vec3 mean = sum.rgb / max(sum.a, 1e-6);
  if (toned) mean = from_light((linear_ ? mean : to_light(mean)) * gain);
  colour = vec4(mean, 1.0);
}`;

// How the views lie in the layers of a texture, at the size that the limits allow.
export function textureLayout(width, height, count, bytesPerPixel, largestSide, mostLayers) {
  for (let reduction = 1; ; ++reduction) {
    const w = Math.ceil(width / reduction);
    const h = Math.ceil(height / reduction);
    const perLayer = Math.ceil(count / mostLayers);
    const across = Math.min(Math.floor(largestSide / w), Math.ceil(Math.sqrt(perLayer)));
    const down = Math.ceil(perLayer / Math.max(1, across));
    const layers = Math.ceil(count / (across * down));
    if (across >= 1 && down * h <= largestSide && layers * across * down * w * h * bytesPerPixel <= mostTextureBytes) {
      return { reduction, w, h, across, down, layers };
    }
  }
}

function compiled(gl, type, source) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

export class WebglDrawer {
  constructor(canvas, lightField, floats) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("WebGL2 is missing");
    this.gl = gl;
    this.canvas = canvas;
    this.field = lightField;
    this.floats = floats;
    const layout = textureLayout(lightField.width, lightField.height, lightField.views.length, floats ? 8 : 4,
      gl.getParameter(gl.MAX_TEXTURE_SIZE), gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS));
    this.layout = layout;
    const program = gl.createProgram();
    gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, vertexSource));
    gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, fragmentSource));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    this.place = (name) => gl.getUniformLocation(program, name);
    gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, "Views"), 0);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, gl.createBuffer());
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, gl.createTexture());
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, floats ? gl.RGBA16F : gl.RGBA8, layout.across * layout.w,
      layout.down * layout.h, layout.layers);
    if (gl.getError()) throw new Error("there is not enough memory for the textures");
    for (const [name, value] of [["MIN_FILTER", "LINEAR"], ["MAG_FILTER", "LINEAR"], ["WRAP_S", "CLAMP_TO_EDGE"], ["WRAP_T", "CLAMP_TO_EDGE"]]) {
      gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl[`TEXTURE_${name}`], gl[value]);
    }
    gl.uniform2i(this.place("tiles"), layout.across, layout.down);
    gl.uniform2f(this.place("size"), layout.w, layout.h);
    gl.uniform1f(this.place("reduction"), layout.reduction);
  }

  get name() { return "WebGL2"; }
  get note() {
    return this.layout.reduction === 1 ? ""
      : `The views are shown at 1/${this.layout.reduction} of their size, because the graphics memory is limited.`;
  }

  // The pixels of a view as the texture stores them: RGBA, bytes or numbers with 1 in white.
  texels(image) {
    const { w, h, reduction } = this.layout;
    if (!this.floats && reduction === 1) return image.rgba;
    const stored = this.floats ? new Float32Array(4 * w * h) : new Uint8Array(4 * w * h);
    for (let y = 0; y < h; ++y) {
      for (let x = 0; x < w; ++x) {
        for (let c = 0; c < 3; ++c) {
          let sum = 0;
          let count = 0;
          for (let j = y * reduction; j < Math.min((y + 1) * reduction, image.height); ++j) {
            for (let i = x * reduction; i < Math.min((x + 1) * reduction, image.width); ++i, ++count) {
              sum += valueAt(image, i, j, c);
            }
          }
          stored[4 * (y * w + x) + c] = sum / count / (this.floats ? 255 : 1);
        }
      }
    }
    return stored;
  }

  setView(index, image) {
    const gl = this.gl;
    const { w, h, across, down } = this.layout;
    const tile = index % (across * down);
    const pixels = this.texels(image);
    gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, tile % across * w, Math.floor(tile / across) * h,
      Math.floor(index / (across * down)), w, h, 1, gl.RGBA, this.floats ? gl.FLOAT : gl.UNSIGNED_BYTE,
      this.floats ? pixels : new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length));
  }

  // `list` as of LightField.withinAperture().
  draw(list, focus, stops, linear) {
    const { gl, canvas, field } = this;
    if (canvas.width !== field.width || canvas.height !== field.height) {
      canvas.width = field.width;
      canvas.height = field.height;
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    const used = [...list].sort((a, b) => Math.hypot(a.u, a.v) - Math.hypot(b.u, b.v)).slice(0, mostViews);
    const block = new Float32Array(4 * mostViews);
    used.forEach(({ u, v, weight, index }, k) => block.set([u, v, weight, index], 4 * k));
    gl.bufferData(gl.UNIFORM_BUFFER, block, gl.DYNAMIC_DRAW);
    gl.uniform1i(this.place("count"), used.length);
    gl.uniform2f(this.place("shown"), canvas.width, canvas.height);
    gl.uniform1f(this.place("disparity"), focus);
    gl.uniform1f(this.place("gain"), 2 ** stops);
    gl.uniform1i(this.place("linear_"), linear ? 1 : 0);
    gl.uniform1i(this.place("toned"), linear || stops !== 0 ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}
