import {useEffect, useState} from 'react';

/**
 * Restores the focus when the panel closes. The panel renders again while it loads, so its dialogs do not
 * know which element had the focus before.
 */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        if (opener instanceof HTMLElement) opener.focus();
        if (document.activeElement === document.body) document.getElementById('content')?.focus();
      }, 100);
    },
    [opener],
  );
}
