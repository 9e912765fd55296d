/** A request that the start page offers, read from its HTML. */
export type PageRequest = Readonly<{
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** In whose name the page asks. */
  as: string | undefined;
  curl: string;
}>;

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Every link and button of the start page that asks the gateway something by HTTP. */
export function readPageRequests(html: string): PageRequest[] {
  const controls = [...html.matchAll(/<(?:a|button) class="ask"([^>]*)>/g)];
  const asking = controls.filter(([, attributes]) => !/ data-(?:says|listens)=/.test(attributes!));
  return asking.map(([, attributes]) => {
    const attribute = (name: string) => readAttribute(attributes!, name);
    return {
      url: attribute("href") ?? attribute("data-url")!,
      method: attribute("data-method") ?? "GET",
      headers: JSON.parse(attribute("data-headers") ?? "{}") as Record<string, string>,
      body: attribute("data-body"),
      as: attribute("data-as"),
      curl: attribute("data-curl")!,
    };
  });
}

function readAttribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
  return value?.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
}
