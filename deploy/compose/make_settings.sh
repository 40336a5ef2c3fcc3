#!/bin/sh
# Prints the settings that several servers share, with new keys: sh make_settings.sh art.example > settings.env
set -eu
if [ $# -ne 1 ]; then
  echo "Name the domain callers will use: sh make_settings.sh art.example" >&2
  exit 1
fi
echo "DOMAIN=$1"
for name in POSTGRES_PASSWORD STORAGE_SECRET_KEY SIGNING_SECRET; do
  echo "$name=$(openssl rand -hex 32)"
done
echo "RECEIPT_KEY=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)"
