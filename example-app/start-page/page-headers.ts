import type { RequestHandler } from "express";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page needs nothing but its own files, and says so to the browser. */
export const setPageHeaders: RequestHandler = function setPageHeaders(_req, res, next) {
  res.set({
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  next();
};
