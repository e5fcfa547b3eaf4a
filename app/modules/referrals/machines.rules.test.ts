import { describe, expect, test } from "vitest";
import { isInAdvance, isMachine } from "./machines.rules.ts";

const asked = (headers: Record<string, string>, method = "GET") => ({ method, headers: new Headers(headers) });

describe("a machine", () => {
  test.each([
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "WhatsApp/2.23.20.0",
    "WhatsApp/2.21.11.17 A",
    "Viber/18.0.1.286 CFNetwork/1335.0.3 Darwin/21.6.0",
    "TelegramBot (like TwitterBot)",
    "facebookexternalhit/1.1;line-poker/1.0",
    "Mozilla/5.0 (compatible; TikTokSpider; ttspider-feedback@tiktok.com)",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/125.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/125.0.0.0 Safari/537.36",
    "curl/8.7.1",
    "python-requests/2.32.3",
  ])("is one of %s", (agent) => {
    expect(isMachine(asked({ "User-Agent": agent }))).toBe(true);
  });

  test("is one that asks for headers alone", () => {
    expect(isMachine(asked({}, "HEAD"))).toBe(true);
  });
});

describe("a page loaded in advance", () => {
  test.each<Record<string, string>>([
    { "Sec-Purpose": "prefetch" },
    { "Sec-Purpose": "prefetch;prerender" },
    { Purpose: "prefetch" },
    { "X-Purpose": "preview" },
    { "X-Moz": "prefetch" },
  ])("is one with %j, and its browser is no machine", (headers) => {
    expect([isInAdvance(new Headers(headers)), isMachine(asked(headers))]).toEqual([true, false]);
  });

  test("isn't one without such a header", () => {
    expect(isInAdvance(new Headers({ Accept: "text/html" }))).toBe(false);
  });
});

test.each([
  "",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
  "Mozilla/5.0 (Linux; Android 14; CUBOT X90) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0;]",
  // Messengers' and networks' own browsers.
  "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.200 Mobile Safari/537.36 Telegram-Android/11.7.4 (Samsung SM-S918B; Android 14; SDK 34; HIGH)",
  "Mozilla/5.0 (Linux; Android 10; Redmi Note 7 Build/QKQ1.190920.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/81.0.4044.138 Mobile Safari/537.36 Viber/14.7.0.4",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 WhatsApp/2.24.12.78",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0.0.40.92 (iPhone14,5; iOS 17_5; en_GB; en; scale=3.00; 1170x2532; 593518214)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/463.0.0.29.109;FBBV/594282413;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5;FBSS/3;FBLC/en_GB;FBOP/5]",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22A3354 Safari Line/14.16.0",
  "Mozilla/5.0 (Linux; Android 12; SM-G991B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 trill_350003 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/35.0.3 ByteLocale/en Region/GB BytedanceWebview/d8a21c6",
  "Mozilla/5.0 (Linux; Android 13; M2012K11AC; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160117 MMWEBSDK/20240404 MicroMessenger/8.0.49.2600(0x28003133) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64",
])("a person's browser is none: %s", (agent) => {
  expect(isMachine(asked({ "User-Agent": agent, Accept: "text/html" }))).toBe(false);
});
