import {useEffect, useState} from 'react';

/** Returns a function that focuses the first invalid field of a form, once the errors are rendered. */
export function useFocusFirstError(form: string): () => void {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries === 0) return;
    const element = document.getElementById(form);
    const field =
      element?.querySelector<HTMLElement>(':is(input, textarea)[aria-invalid="true"]') ??
      element?.querySelector<HTMLElement>('[data-invalid], [role="alert"]');
    field?.focus({preventScroll: true});
    field?.scrollIntoView({block: 'center'});
  }, [form, tries]);
  return () => setTries((before) => before + 1);
}
