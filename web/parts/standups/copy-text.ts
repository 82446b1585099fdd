import {words} from '../../words/words.ts';
import {toast} from '../toast.ts';

/** Says what was copied where the browser refuses: then it can be taken from there. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({text: words.history.linkCopied});
  } catch {
    toast({text, ms: 30_000});
  }
}
