import {useEffect, useState} from 'react';

/** The panel renders again while it loads, so its windows do not know what had the focus before the first. */
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
