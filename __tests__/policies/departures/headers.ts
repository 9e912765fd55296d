import type { TraceAnswer, TraceArrival } from "../trace.ts";
import { arrivedAt, type Departures, stopsTheStart } from "./departure.ts";

function arrivingWith(headers: TraceArrival["headers"]) {
  return { arrived: [arrivedAt("/x", headers)] } as const;
}

function answeredWith(headers: TraceAnswer["headers"]) {
  return { answer: { headers } } as const;
}

/** Where header transforms differ, and headers that nothing changes. */
export const headersDepartures: Departures = {
  "hd-010": stopsTheStart("D11"),
  "hd-011": stopsTheStart("D11"),
  "hd-012": stopsTheStart("D11"),
  "hd-016": stopsTheStart("D10"),
  "hd-017": stopsTheStart("D10"),
  "hd-018": stopsTheStart("D10"),
  "hd-020": { because: "D11", exchanges: { 0: arrivingWith({ "content-type": "application/x-gw" }) } },
  "hd-024": stopsTheStart("D11"),
  "hd-026": {
    because: "D11",
    exchanges: { 0: arrivingWith({ "x-t": "b1, b2" }), 1: arrivingWith({ "x-t": "z1, b2" }) },
  },
  "hd-032": stopsTheStart("D11"),
  "hd-033": stopsTheStart("D11"),
  "hd-036": { because: "D11", exchanges: { 0: arrivingWith({ accept: "text/xml, a/b" }) } },
  "hd-043": { because: "D12", exchanges: { 0: arrivingWith({}) } },
  "hd-044": { because: "D12", exchanges: { 0: arrivingWith({}) } },
  "hd-055": { because: "D12", exchanges: { 0: arrivingWith({}) } },
  "hd-056": { because: "D12" },
  "hd-069": { because: "D12", exchanges: { 0: arrivingWith({ "x-p": "x{bx" }) } },
  "hd-070": { because: "D12", starts: true },
  "hd-080": { because: "D11", exchanges: { 0: answeredWith({ "content-type": "text/html" }) } },
  "hd-081": {
    because: "D11",
    exchanges: {
      0: answeredWith({
        "content-language": "en",
        "content-disposition": "attachment",
        "last-modified": "Wed, 21 Oct 2015 07:28:00 GMT",
        expires: "Wed, 21 Oct 2015 07:28:00 GMT",
        allow: "GET",
      }),
    },
  },
  "hd-083": stopsTheStart("D11"),
  "hd-092": { because: "D11", exchanges: { 0: answeredWith({ "set-cookie": ["x=1; domain=b", "y=2; domain=b"] }) } },
  "hd-096": { because: "D11", exchanges: { 0: answeredWith({ "x-t": "b1" }) } },
  "hd-097": stopsTheStart("D11"),
  "hd-111": { because: "D12", exchanges: { 0: answeredWith({ location: "http://gw.test:8080/p?q=1" }) } },
  "hd-119": { because: "D12", exchanges: { 0: answeredWith({ "x-p": "http://127.0.0.1:{{A}}" }) } },
  "hd-121": { because: "D12", exchanges: { 0: answeredWith({ "x-p": "prehttp://gw.test:8080" }) } },
  "hd-122": { because: "D12", exchanges: { 0: answeredWith({ "x-p": "http://gw.test:8080http://gw.test:8080" }) } },
  "hd-128": {
    because: "D12",
    exchanges: {
      0: answeredWith({ "x-p": "127.0.0.1", "x-q": "127.0.0.1:{{G}}", "x-r": "http://127.0.0.1:{{A}}" }),
    },
  },
  "hd-137": { because: "D31", exchanges: { 0: answeredWith({ rid: "own" }), 1: answeredWith({ rid: "<guid>" }) } },
  "hd-147": stopsTheStart("D5"),
  "hd-149": stopsTheStart("D5"),
  "hd-154": {
    because: "D1",
    exchanges: { 0: { ...answeredWith({ "x-d": "1" }), ...arrivingWith({ "x-own": "1", "x-u": "1" }) } },
  },
  "hd-156": {
    because: "D10",
    exchanges: {
      0: answeredWith({
        "set-cookie": ["a=1", "b=2"],
        "x-a": ["1", "2"],
        via: "1.0 x",
        "www-authenticate": ["Basic", "Bearer"],
        "content-type": "text/x",
        "content-language": "de",
        expires: "0",
        "last-modified": "x",
        etag: '"e"',
        "x-empty": "",
      }),
    },
  },
  "hd-163": { because: "D12", exchanges: { 0: answeredWith({ location: "https://svc.test/p" }) } },
  "hd-165": { because: "D12", exchanges: { 0: answeredWith({ location: "https://pub.test/p" }) } },
  "hd-169": { because: "D10" },
  "hd-170": {
    because: "D11",
    exchanges: {
      0: answeredWith({
        vary: "Accept, Cookie, Origin",
        via: "1.0 a, 1.1 b",
        "x-list": "a, b",
        "cache-control": "no-store, private",
        "www-authenticate": 'Basic realm="a", Bearer',
      }),
    },
  },
  "hd-171": {
    because: "D10",
    exchanges: {
      0: answeredWith({
        location: "HTTP://Svc.Test:80/a b/%7Eu/../c",
        "cache-control": "no-store,max-age=0",
        vary: "Accept,Cookie",
        "retry-after": "120",
        etag: 'W/"x"',
        "accept-ranges": "bytes",
        "last-modified": "Wed, 21 Oct 2015 07:28:00 GMT",
        expires: "Wed, 21 Oct 2015 07:28:00 GMT",
        "content-type": "text/html;charset=UTF-8",
        via: "1.1 a,1.0 b",
        warning: '199 a "b"',
        "content-disposition": "attachment;filename=x.txt",
        "content-language": "de,en",
        link: "<a>;rel=x,<b>;rel=y",
        "x-l": "a,b",
        pragma: "no-cache",
        "strict-transport-security": "max-age=1;preload",
        "server-timing": "a;dur=1,b",
        allow: "GET,POST",
        "www-authenticate": "Basic realm=a,Bearer",
      }),
    },
  },
  "hd-173": {
    because: "D10",
    exchanges: {
      0: arrivingWith({
        accept: "a/b, c/d",
        "accept-language": "de,en;q=0.5",
        cookie: "a=1; b=2",
        "if-none-match": '"a", "b"',
        "user-agent": "u/1",
        "x-a": "1, 2",
      }),
    },
  },
  "hd-153": stopsTheStart("D18"),
};
