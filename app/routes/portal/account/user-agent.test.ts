import { expect, it } from "vitest";
import { describeUserAgent } from "./user-agent.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0";

it.each([
  [`${windows} Safari/537.36`, "Chrome on Windows"],
  [`${windows} Safari/537.36 Edg/131.0.0.0`, "Edge on Windows"],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36",
    "Chrome on Linux",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  ["curl/8.5.0", "curl"],
  ["python-requests/2.32.3", "A Python program"],
  ["node", "A Node.js program"],
  ["Go-http-client/2.0", "A Go program"],
  ["rate-sync/3.1 (+https://forwarder.example)", "rate-sync"],
  ["", "Unknown program"],
  [null, "Unknown program"],
])("describes %s as %s", (userAgent, words) => {
  expect(describeUserAgent(userAgent)).toBe(words);
});
