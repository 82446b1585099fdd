import helmet from 'helmet';

export type HeaderLines = Readonly<Record<string, string>>;

/** A year, as the preload lists of browsers ask for. */
const transportSecurity = 'max-age=31536000; includeSubDomains';

/**
 * Headers of every answer that is data and not a page, errors included. One object for all of them, made
 * once, since the API's answers are written by hand. HSTS only where the service is reached by https: on
 * plain http browsers ignore it (RFC 6797 section 7.2).
 */
export function dataHeaders(publicUrl: string): HeaderLines {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...(isSecure(publicUrl) && {'Strict-Transport-Security': transportSecurity}),
  };
}

/**
 * Headers of every page: nothing from elsewhere, and nothing inline (Swagger UI sets its styles by script,
 * which needs no permission).
 */
export function pageHeaders(publicUrl: string) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure(publicUrl),
  });
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
