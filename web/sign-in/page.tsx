import {words} from '../words/words.ts';

export function SignInPage() {
  return <h1>{words.frame.pages.signIn}</h1>;
}
