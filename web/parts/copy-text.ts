import {toast} from './toast.ts';

/** Copies a text and says `copied`. If the browser refuses, a notice shows the text to copy. */
export async function copyText(text: string, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({text: copied});
  } catch {
    toast({text, ms: 30_000});
  }
}
