import {useEffect, useState} from 'react';

/** Restores the focus when the panel closes: its dialogs do not know the earlier focused element. */
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
