import {type RefObject, useEffect} from 'react';

/** A form that somebody has opened is ready to be typed into. */
export function useFirstFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    form.current?.querySelector('textarea')?.focus();
  }, [form]);
}
