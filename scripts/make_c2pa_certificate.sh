#!/usr/bin/env bash
# Creates a development certificate for C2PA manifests. The manifests are valid but not trusted.
#   scripts/make_c2pa_certificate.sh <folder> [days]
#   C2PA_CERTIFICATE="$(cat <folder>/certificate.pem)" C2PA_KEY="$(cat <folder>/key.pem)" npm start
# The profile is that of C2PA 2.2, 14.5: not self-signed, for signatures only. Needs openssl.
set -euo pipefail
folder=${1:?Say which folder to write certificate.pem and key.pem into}
days=${2:-1825}
mkdir -p "$folder"
cd "$folder"
umask 077
curve=(-algorithm EC -pkeyopt ec_paramgen_curve:P-256)
openssl genpkey "${curve[@]}" -out issuer_key.pem 2>/dev/null
openssl genpkey "${curve[@]}" -out key.pem 2>/dev/null
openssl req -x509 -new -key issuer_key.pem -days "$((2 * days))" -out issuer.pem -subj '/O=Atelier development/CN=Development issuer' \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
openssl req -new -key key.pem -out request.pem -subj '/O=Atelier development/CN=Development signer' 2>/dev/null
printf '%s\n' 'basicConstraints=critical,CA:FALSE' 'keyUsage=critical,digitalSignature' \
  'extendedKeyUsage=critical,emailProtection' 'subjectKeyIdentifier=hash' 'authorityKeyIdentifier=keyid' >extensions
openssl x509 -req -in request.pem -CA issuer.pem -CAkey issuer_key.pem -CAcreateserial -days "$days" -extfile extensions \
  -out signer.pem 2>/dev/null
cat signer.pem issuer.pem >certificate.pem
rm -f signer.pem issuer.pem issuer.srl issuer_key.pem request.pem extensions
