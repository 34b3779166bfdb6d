package bulletin.accounts;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Passwords are kept as PBKDF2 hashes. */
final class Passwords {
  /** So few because this is a sample: what is kept in earnest takes some hundred thousand. */
  private static final int ITERATIONS = 1000;
  private static final int HASH_BITS = 256;
  private static final int SALT_BYTES = 16;

  private static final SecureRandom random = new SecureRandom();

  private Passwords() {}

  static byte[] newSalt() {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return salt;
  }

  static byte[] hashPassword(String password, byte[] salt) {
    try {
      PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, HASH_BITS);
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(key).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has PBKDF2 with SHA-256", e);
    }
  }

  static boolean matches(String password, byte[] salt, byte[] hash) {
    return MessageDigest.isEqual(hashPassword(password, salt), hash);
  }
}
