declare module "router" {
  import type { Router, RouterOptions } from "express";

  /** Makes what Express exports as `express.Router`. */
  function createRouter(options?: RouterOptions): Router;
  export = createRouter;
}
