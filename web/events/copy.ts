import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';

/** Shows the text when the browser refuses to copy, so that the viewer can copy it from the notice. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({text: texts.events.inspector.copied});
  } catch {
    toast({text, ms: 30_000});
  }
}
