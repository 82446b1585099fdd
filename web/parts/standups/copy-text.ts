import {texts} from '../../texts/texts.ts';
import {toast} from '../toast.ts';

/** Shows the text when the browser refuses to copy, so that the viewer can copy it from the notice. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({text: texts.history.linkCopied});
  } catch {
    toast({text, ms: 30_000});
  }
}
