import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The first page starts at its top; later navigation moves focus to the title of the new page. */
let isFirst = true;

interface PageProps {
  readonly title: string;
  /** Link to the parent page, before the title. */
  readonly above?: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, above, beside, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Demarc`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          {above}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {beside !== undefined && <div class="page-aside">{beside}</div>}
      </header>
      {children}
    </>
  );
}
