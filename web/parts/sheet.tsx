import {Overlay, type OverlayProps} from './overlay.tsx';

/** Slides in from the inline end, over the page that it belongs to. */
export function Sheet(props: OverlayProps) {
  return <Overlay {...props} place="sheet" />;
}
