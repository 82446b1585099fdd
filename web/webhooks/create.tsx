import {lazy, Suspense, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {useAskedPanel} from '../parts/palette/asked-panel.ts';
import {texts} from '../texts/texts.ts';

const NewWebhook = lazy(() => import('./new-webhook.tsx').then(({NewWebhook}) => ({default: NewWebhook})));

export function CreateWebhook() {
  const [isOpen, setOpen] = useState(false);
  useAskedPanel('webhook', () => setOpen(true));
  return (
    <>
      <Button icon="plus" kind="first" onPress={() => setOpen(true)}>
        {texts.webhookChanges.create.open}
      </Button>
      {isOpen && (
        <Suspense>
          <NewWebhook onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
