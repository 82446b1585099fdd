import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';

/**
 * Copies a text. If the browser refuses, shows the text in a notice, so that the viewer can copy it there.
 */
export async function copyOrShowText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({text: texts.events.inspector.copied});
  } catch {
    toast({text, ms: 30_000});
  }
}
