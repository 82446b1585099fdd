import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {texts} from '../texts/texts.ts';

/** Shown in place of a page that fails to render, so that an error leaves no blank page. */
export function Broken() {
  const {title, text, cure} = texts.frame.broken;
  return (
    <main>
      <Empty
        action={
          <Button kind="first" onPress={() => location.reload()}>
            {cure}
          </Button>
        }
        text={text}
        title={title}
      />
    </main>
  );
}
