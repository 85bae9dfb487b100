/**
 * Files that look like secrets, as ordered globs below any folder: the last that matches decides, `!` takes a path out again.
 * They are denied to read unless a user's setting says otherwise, and so to edit, since editing needs reading.
 */
export const secretGlobs: readonly string[] = [
  '/**/.env*', '/**/.env*/**', '!/**/.env*.{example,sample,template}',
  '/**/*.{pem,key,p12,pfx,jks,keystore,ppk,kdbx}', '/**/id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}*', '!/**/id_*.pub',
  '/**/.{netrc,pgpass,git-credentials,htpasswd,pypirc,vault-token,my.cnf,boto,s3cfg}', '/**/_netrc',
  '/**/.{ssh,gnupg,aws,azure,kube,password-store}/**', '!/**/.ssh/{known_hosts,config,*.pub}',
  '/**/.docker/config.json', '/**/.config/{gcloud,gh,op,rclone}/**', '/**/.cargo/credentials*', '/**/.terraform.d/credentials*',
  '/**/.gem/credentials', '/**/.composer/auth.json', '/**/.m2/settings*.xml', '/**/{.local/share,Library}/{keyrings,Keychains}/**',
  '/**/{service-account,service_account,gcp-key,client_secret}*.json', '/**/application_default_credentials.json',
  '/proc/*/{environ,mem,maps,fd/**}', '/proc/*/task/*/{environ,mem,fd/**}', '/etc/{shadow,gshadow,sudoers}*', '/etc/ssl/private/**',
];
