/** A rough description of a User-Agent header: `Chrome on Windows`, `curl`. Clients can send anything. */
export const describeUserAgent = (userAgent: string | null): string => {
  if (!userAgent) return "Unknown program";
  const browser = named(browsers, userAgent);
  if (!browser) return named(programs, userAgent) ?? firstProduct(userAgent);
  const system = named(systems, userAgent);
  return system ? `${browser} on ${system}` : browser;
};

type Sign = readonly [sign: RegExp, name: string];

const named = (signs: readonly Sign[], text: string): string | undefined =>
  signs.find(([sign]) => sign.test(text))?.[1];

/** In this order, because some browsers also name others: Edge also sends `Chrome`. */
const browsers: readonly Sign[] = [
  [/\bEdgA?(iOS)?\//, "Edge"],
  [/\bOPR\/|\bOPT\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|\bCriOS|\bChromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.* Safari\//, "Safari"],
];

const systems: readonly Sign[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const programs: readonly Sign[] = [
  [/^curl\//, "curl"],
  [/^Wget\//i, "Wget"],
  [/^PostmanRuntime\//, "Postman"],
  [/^insomnia\//i, "Insomnia"],
  [/^(python-|Python|aiohttp)/, "A Python program"],
  [/^(node|undici|axios|node-fetch)\b/i, "A Node.js program"],
  [/^Go-http-client\//, "A Go program"],
  [/^(Java|okhttp|Apache-HttpClient)/, "A Java program"],
  [/^(GuzzleHttp|PHP)/, "A PHP program"],
];

const firstProduct = (userAgent: string): string => userAgent.split(/[/\s]/)[0]?.slice(0, 40) || "Unknown program";
