import {toast} from '../parts/toast.ts';
import {words} from '../words/words.ts';

/** Shows the text where the browser refuses, so that it can be taken from there. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({text: words.events.inspector.copied});
  } catch {
    toast({text, ms: 30_000});
  }
}
