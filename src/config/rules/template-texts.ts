import { findTemplateFault, placeholderNames, type TemplateFault } from "../../templates/template.ts";
import type { RouteConfig } from "../sections.ts";

/** One template of a route: what messages call it, its path within the route, and what is in it. */
type TemplateText = Readonly<{
  label: string;
  text: string;
  path: readonly string[];
  names: readonly string[];
  fault: TemplateFault | undefined;
}>;

/** The templates that take values from a request, and those that are filled with them. */
export type RouteTemplates = Readonly<{ upstream: readonly TemplateText[]; filled: readonly TemplateText[] }>;

/** Looks at the templates of a route once, for all rules about them. */
export function templatesOf(config: Readonly<Partial<RouteConfig>>): RouteTemplates {
  const upstream = textAt(["UpstreamPathTemplate"], config.UpstreamPathTemplate);
  const headers = Object.entries(config.UpstreamHeaderTemplates ?? {});
  const headerTexts = headers.flatMap(([name, text]) => textAt(["UpstreamHeaderTemplates", name], text));
  const downstream = textAt(["DownstreamPathTemplate"], config.DownstreamPathTemplate);
  return {
    upstream: [...upstream, ...headerTexts],
    filled: [...downstream, ...textAt(["ServiceName"], config.ServiceName)],
  };
}

function textAt(path: readonly string[], text: string | undefined): readonly TemplateText[] {
  if (text === undefined) return [];
  const label = path.at(-1)!;
  if (!/[{}]/.test(text)) return [{ label, text, path, names: [], fault: undefined }];
  return [{ label, text, path, names: placeholderNames(text), fault: findTemplateFault(text) }];
}
