import {lazy, Suspense, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {endImport} from './run.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../parts/confirm-dialog.tsx')).ConfirmDialog,
}));

interface TakeBackProps {
  readonly id: string;
  readonly source: string;
  /** The number of standups that go. */
  readonly created: number;
  readonly label: string;
  readonly size?: 'small' | undefined;
  readonly onBegun?: (() => void) | undefined;
}

/** A button that takes an import back, after a dialog that names what goes. */
export function TakeBack({id, source, created, label, size, onBegun}: TakeBackProps) {
  const {takeBack: t} = texts.imports;
  const [isAsking, setAsking] = useState(false);
  const {run, isPending, problem, reset} = useAction(async () => {
    await endImport(id, 'remove');
    onBegun?.();
    setAsking(false);
    toast({text: t.begun});
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)} size={size}>
        {label}
      </Button>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            confirm={t.confirm}
            isOpen
            isPending={isPending}
            onClose={() => {
              setAsking(false);
              reset();
            }}
            onConfirm={() => run()}
            problem={problem}
            text={<p className="my-3.5">{t.text({count: created})}</p>}
            title={t.title({source})}
          />
        </Suspense>
      )}
    </>
  );
}
