/** Makes a webhook. */
export function CreateWebhook() {
  return null;
}
