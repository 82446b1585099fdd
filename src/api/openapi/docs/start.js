// The reference page. Everything is of this service: no request leaves its origin.

/** Makes each section of the guide one that can be opened, or the operations would begin pages further down. */
function fold(guide) {
  const headings = [...guide.querySelectorAll(':scope > h2')];
  for (const [i, heading] of headings.entries()) {
    const section = document.createElement('details');
    const title = document.createElement('summary');
    title.textContent = heading.textContent;
    section.open = i === 0;
    heading.replaceWith(section);
    section.append(title);
    while (section.nextSibling !== null && section.nextSibling !== headings[i + 1]) {
      section.append(section.nextSibling);
    }
  }
}

/** The guide appears some time after Swagger UI has started. */
function foldWhenThere() {
  const guide = document.querySelector('.info .description > div');
  if (guide === null) return;
  observer.disconnect();
  fold(guide);
}

const observer = new MutationObserver(foldWhenThere);
observer.observe(document.getElementById('docs'), {childList: true, subtree: true});

const answer = await fetch('/openapi.json');
const spec = await answer.json();
// Without a server in it, "Execute" asks the one that this page comes from, whatever name it was reached by.
delete spec.servers;
// Swagger UI would send every example along: a used idempotency key, a revision that is not the present one, filters nobody asked for.
const {parameters} = spec.components;
const operations = Object.values(spec.paths).flatMap((path) => Object.values(path));
for (const parameter of [...Object.values(parameters), ...operations.flatMap((one) => one.parameters)]) {
  if (parameter.in !== 'path') delete parameter.example;
}

window.ui = SwaggerUIBundle({
  spec,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
});
