import {Button} from '../parts/button.tsx';
import {AddPasskey} from '../parts/passkeys/add-passkey.tsx';
import {texts} from '../texts/texts.ts';

interface PasskeyOfferProps {
  readonly workspace: string;
  readonly onDone: () => void;
}

/** Offers a passkey to a new member, who has no other way to sign in yet. */
export function PasskeyOffer({workspace, onDone}: PasskeyOfferProps) {
  const t = texts.passkeys.offer;
  return (
    <>
      <h2>{t.title}</h2>
      <p>{t.text({workspace})}</p>
      <div className="flex flex-wrap gap-3">
        <AddPasskey kind="first" onAdded={onDone} />
        <Button kind="quiet" onPress={onDone}>
          {t.later}
        </Button>
      </div>
    </>
  );
}
