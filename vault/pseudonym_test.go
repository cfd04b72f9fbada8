package vault

import "testing"

func TestAPseudonymStandsForOneSecretOfOneVault(t *testing.T) {
	name := func(v *Vault, secret string) string {
		t.Helper()
		s, err := v.Pseudonym(secret)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	v, other := open(t, t.TempDir()), open(t, t.TempDir())
	a := name(v, "a")
	if again := name(v, "a"); again != a {
		t.Errorf("%s, then %s", a, again)
	}
	if name(v, "b") == a || name(other, "a") == a {
		t.Error("another secret or another vault has the same one")
	}
	if err := v.Replace(pseudonymKey, []byte("torn"), AnyHash); err != nil {
		t.Fatal(err)
	}
	if s, err := v.Pseudonym("a"); err == nil {
		t.Errorf("a damaged key made %s", s)
	}
}
