/* How OpenSeadragon is set up: its options, its tile source, and the one thing it does that our policy forbids. */

const GRANT_PATH = /\/info\.json$/;

/** CSS pixels per image pixel up to which everybody may enlarge. */
export const LEAST_LARGEST_SCALE = 8;

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** What OpenSeadragon is told: no fading, no smoothing of tiles into each other, no controls of its own. */
export function settings(element) {
  return {
    element,
    drawer: "canvas",
    showNavigationControl: false,
    showNavigator: false,
    immediateRender: true,
    blendTime: 0,
    animationTime: calm() ? 0 : 0.35,
    springStiffness: 9,
    visibilityRatio: 0.6,
    constrainDuringPan: false,
    minZoomImageRatio: 0.8,
    // The level whose pixels are at most those of the screen. With 0.5, at 25, 50 and 100 % it is the one four times as heavy.
    minPixelRatio: 0.51,
    maxZoomPixelRatio: LEAST_LARGEST_SCALE,
    zoomPerScroll: 1.25,
    preserveImageSizeOnResize: true,
    tileRetryMax: 2,
    tileRetryDelay: 800,
    timeout: 20_000,
    imageLoaderLimit: 8,
    maxImageCacheCount: 400,
    gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true, flickEnabled: false },
    gestureSettingsTouch: { clickToZoom: false, dblClickToZoom: true, pinchRotate: false, flickEnabled: true },
    gestureSettingsPen: { clickToZoom: false },
  };
}

/** OpenSeadragon adds a style element unless it finds its own mark. A strict policy refuses style elements, and what it
    would say stands in review.css: a mark that is no HTML style keeps it from trying. */
export function holdBackStyle() {
  const mark = document.createElementNS("", "style");
  mark.setAttribute("data-openseadragon-mobile-css", "");
  document.head.append(mark);
}

/** Ask for the picture's description. The address it came from beats the `id` it names, which a proxy may have made
    wrong. Rejects when it cannot be had. @param {string} infoUrl */
export async function tileSource(infoUrl) {
  const response = await fetch(infoUrl, { credentials: "same-origin" });
  if (!response.ok) throw new Error(String(response.status));
  const info = await response.json();
  return { ...info, id: new URL(infoUrl.replace(GRANT_PATH, ""), location.href).href };
}
