;;; exportdb-lsp-mode.el --- torch.export findings in Emacs, through lsp-mode -*- lexical-binding: t -*-

;;; Code:

(require 'lsp-mode)

(defcustom exportdb-command '("exportdb-lsp" "--stdio")
  "How to start the server."
  :type '(repeat string)
  :group 'lsp-mode)

(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection (lambda () exportdb-command))
                  :activation-fn (lsp-activate-on "python")
                  :server-id 'exportdb
                  :add-on? t))

(provide 'exportdb-lsp-mode)
;;; exportdb-lsp-mode.el ends here
