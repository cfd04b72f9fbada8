package api

// Mine names a folder, or a file, whose text is to be found where it lies.
type Mine struct {
	Path  string `json:"path" minLength:"1" maxLength:"4096" doc:"From the root of the file system."`
	Wing  string `json:"wing,omitempty" maxLength:"200" doc:"Default: as it was, else the folder's name."`
	Room  string `json:"room,omitempty" maxLength:"200" doc:"Default: as it was, else of each file the folder at the top that it lies in."`
	Watch *bool  `json:"watch,omitempty" doc:"Follow edits at once, not at the next look at everything. Default: as it was, else mine.watch."`
	Copy  *bool  `json:"copy,omitempty" doc:"Copy its text without secrets into the vault, found without the folder. Default: as it was."`
	Wait  bool   `json:"wait,omitempty" doc:"Answer when its files have been read."`
}

// Mined is a folder, and the job that reads it.
type Mined struct {
	JobID  string      `json:"job_id"`
	Folder MinedFolder `json:"folder"`
	Job    *Job        `json:"job,omitempty" doc:"How it went, where the request waited for it."`
}

// Ended tells whether the request waited for the end.
func (m Mined) Ended() bool { return m.Job != nil }

// MinedFolder is a folder whose text is found where it lies.
type MinedFolder struct {
	ID          string        `json:"id"`
	Path        string        `json:"path"`
	Wing        string        `json:"wing"`
	Room        string        `json:"room,omitempty"`
	Watch       bool          `json:"watch"`
	Copy        bool          `json:"copy,omitempty" doc:"Its text is copied into the vault."`
	Since       string        `json:"since"`
	Files       int           `json:"files" doc:"That were read."`
	Silent      int           `json:"files_without_text" doc:"Those of them that gave nothing: they are empty, or no text."`
	Drawers     int           `json:"drawers"`
	LeftOut     []FileProblem `json:"left_out" nullable:"false" doc:"Files that were left out, or not read to their end; the first hundred."`
	Unreachable string        `json:"unreachable,omitempty" doc:"Why it cannot be looked at. What is known of it stays."`
}

// MinedFolders lists the mined folders.
type MinedFolders struct {
	Folders []MinedFolder `json:"folders" nullable:"false"`
}

// Unmine names a mined folder.
type Unmine struct {
	Path string `json:"path" minLength:"1" maxLength:"4096" doc:"Or its id."`
}

// Unmined is a folder that is mined no longer.
type Unmined struct {
	Folder  MinedFolder `json:"folder"`
	Drawers int         `json:"drawers" doc:"That went with it."`
}
