import {type RefObject, useEffect} from 'react';

/** Focuses the text field of a form that was just opened, with the cursor at the end of its text. */
export function useFirstFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const field = form.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [form]);
}
