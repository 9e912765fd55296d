/** A self-signed certificate of nobody, for replicas that speak TLS. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxX/eBgiSbfAQoP6E
bh47r2jAcJImbMHiP92fvM6eJaOhRANCAARMFOdt+Tyve3Sb1gAUOdZhaLJ7nEMJ
jejBTl2OFBiwvO07s9H4AAPP/ZPDShyzGgHrrUFvJ6Ns3RTYvu/8Yi3B
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBhTCCASugAwIBAgIUUUQ2AqzjMiCZVNNRpl/yKCh0OgwwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMcmVwbGljYS50ZXN0MCAXDTI2MTEyMDIzNTQxMloYDzIxMjYx
MDI3MjM1NDEyWjAXMRUwEwYDVQQDDAxyZXBsaWNhLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARMFOdt+Tyve3Sb1gAUOdZhaLJ7nEMJjejBTl2OFBiwvO07
s9H4AAPP/ZPDShyzGgHrrUFvJ6Ns3RTYvu/8Yi3Bo1MwUTAdBgNVHQ4EFgQUt5gH
7JXvpMj3ijpxty22d2rrpncwHwYDVR0jBBgwFoAUt5gH7JXvpMj3ijpxty22d2rr
pncwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAqZW88IqkK86E
n3I4DTpr9YVZufwOEaJL83yJCveDdS8CIGc7vJ6gPH+7JtLdj4wfgbpULZV9mUOU
FMTfPg93Jo+W
-----END CERTIFICATE-----
`,
};

/** The same certificate in a file that is another one for each name: text before a certificate in PEM means nothing. */
export function namedCertificate(name: string): string {
  return `${name}\n${selfSigned.cert}`;
}
