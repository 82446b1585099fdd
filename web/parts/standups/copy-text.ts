import {texts} from '../../texts/texts.ts';
import {toast} from '../toast.ts';

/**
 * Copies a text. If the browser refuses, shows the text in a notice, so that the viewer can copy it there.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({text: texts.history.linkCopied});
  } catch {
    toast({text, ms: 30_000});
  }
}
