import { useLayoutEffect } from 'preact/hooks';

const question = 'This page has unsaved changes. Leave it and discard them?';

/** Asks before the tab is closed or a link of the dashboard is followed while there are unsaved changes. */
export function useUnsavedWarning(isUnsaved: boolean): void {
  // At once, not after the next paint: the page may be left directly after changes were saved or discarded.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const onClose = (event: BeforeUnloadEvent): void => event.preventDefault();
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link === null || link.origin !== location.origin || isSamePage(link) || opensElsewhere(event, link))
        return;
      if (window.confirm(question)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('beforeunload', onClose);
    // Before the router's listener.
    window.addEventListener('click', onClick, true);
    return () => {
      window.removeEventListener('beforeunload', onClose);
      window.removeEventListener('click', onClick, true);
    };
  }, [isUnsaved]);
}

const isSamePage = (link: HTMLAnchorElement): boolean => link.pathname === location.pathname;

const opensElsewhere = (event: MouseEvent, link: HTMLAnchorElement): boolean =>
  event.ctrlKey || event.metaKey || event.shiftKey || (link.target !== '' && link.target !== '_self');
