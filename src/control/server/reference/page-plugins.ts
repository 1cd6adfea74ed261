/** In the page: what its bundle has. */
declare const SwaggerUIBundle: { readonly plugins: { DownloadUrl(system: unknown): object } };

/** As swagger-client has it. */
type ResolveSubtree = (
  document: unknown,
  path: readonly string[],
) => Promise<{ spec: unknown; errors: readonly unknown[] }>;

/** The page's own plugin, which a list of plugins replaces. Sent to browsers as text, as the next ones. */
export function downloadDocument(system: unknown): object {
  return SwaggerUIBundle.plugins.DownloadUrl(system);
}

/**
 * A plugin of the page at `/docs`: resolves the references of an operation that is opened. It is sent to browsers as text, so it uses
 * nothing from outside.
 *
 * Swagger UI reads the whole document again for each operation that is opened, in the way of OpenAPI 3.1: half a minute of processor
 * time for 240 operations. All that an operation needs is what its own references lead to, which takes less than a millisecond.
 */
export function resolveInPage(): { fn: { resolveSubtree: ResolveSubtree } } {
  function partOf(container: unknown, name: string): unknown {
    return typeof container === 'object' && container !== null
      ? (container as Record<string, unknown>)[name]
      : undefined;
  }

  function referred(document: unknown, reference: string): unknown {
    return reference
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce(partOf, document);
  }

  function resolved(document: unknown, value: unknown, within: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((part) => resolved(document, part, within));
    if (typeof value !== 'object' || value === null) return value;
    const reference = partOf(value, '$ref');
    if (typeof reference !== 'string')
      return Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, resolved(document, part, within)]),
      );
    // A schema that contains itself has no end.
    if (within.includes(reference)) return value;
    const { $ref: _, ...beside } = value as Record<string, unknown>;
    const target = resolved(document, referred(document, reference), [...within, reference]);
    return Object.assign({}, target, resolved(document, beside, within));
  }

  const resolveSubtree: ResolveSubtree = async (document, path) => ({
    spec: resolved(document, path.reduce(partOf, document), []),
    errors: [],
  });
  return { fn: { resolveSubtree } };
}

/** As Swagger UI has it: the first of an element, the second of the page's state. */
type ScrollToElement = (element: { scrollIntoView(): void }) => () => void;

/**
 * A plugin that shows the operation of the address at once. Swagger UI glides there for a second, also for people who prefer reduced
 * motion, and takes what they click on from under the pointer: the click on Authorize had no effect.
 */
export function jumpToOperation(): {
  statePlugins: { layout: { actions: { scrollToElement: ScrollToElement } } };
} {
  return {
    statePlugins: { layout: { actions: { scrollToElement: (element) => () => element.scrollIntoView() } } },
  };
}
