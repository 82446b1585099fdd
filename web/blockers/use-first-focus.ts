import {type RefObject, useEffect} from 'react';

/** A form that somebody has opened is ready to be typed into, behind what it says. */
export function useFirstFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const field = form.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [form]);
}
