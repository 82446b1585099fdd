/** Characters that change the direction of the text after them, as of the words around a name in a label. */
const directing = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Returns a text of a file as it can be shown among the words of the page. */
export function showFileText(text: string): string {
  return text.replaceAll(directing, '');
}
