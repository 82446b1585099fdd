import {useEffect, useRef} from 'react';

/** Panels that a command opens on the page to which it leads. */
type AskedPanel = 'blocker' | 'absence' | 'export' | 'member' | 'token' | 'webhook';

/** A page that has not opened its panel by then was left, or failed to load: later visits start without. */
const longestLoad = 20_000;

let asked: {readonly panel: AskedPanel; readonly at: number} | undefined;
const pages = new Set<() => void>();

/** Opens a panel of the page that is shown next, or now. */
export function askForPanel(panel: AskedPanel): void {
  asked = {panel, at: performance.now()};
  for (const look of pages) look();
}

/** Opens this page's panel once if a command asked for it, before or while the page is shown. */
export function useAskedPanel(panel: AskedPanel, open: () => void): void {
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    const look = (): void => {
      if (asked?.panel !== panel) return;
      const isRecent = performance.now() - asked.at < longestLoad;
      asked = undefined;
      if (isRecent) latest.current();
    };
    look();
    pages.add(look);
    return () => void pages.delete(look);
  }, [panel]);
}
